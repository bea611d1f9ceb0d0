package dev.twophase.testkit;

/**
 * One record of a schedule. The kit makes it; the sink's author turns it into the sink's input type
 * and back.
 *
 * @param id unique in the run; what the oracle counts
 * @param key records of one key keep their order (V1)
 * @param sequence position within the key, from 0
 */
public record TestRecord(long id, String key, long sequence) {}
