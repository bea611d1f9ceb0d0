package dev.twophase.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A transactional resource as a TwoPhaseCommitSinkFunction sees it; keeps a log of all calls. */
public final class Bank {

  private static final Map<String, Bank> BANKS = new ConcurrentHashMap<>();

  private final Map<String, List<String>> unfinished = new HashMap<>();
  private final List<String> visible = new ArrayList<>();
  private final List<String> log = new ArrayList<>();
  private int begun;
  private int failuresLeft;

  /** The same bank for the same name, also after serialization. */
  public static Bank named(String name) {
    return BANKS.computeIfAbsent(name, unused -> new Bank());
  }

  /** Makes the next commits fail. */
  public synchronized void failCommits(int count) {
    failuresLeft = count;
  }

  public synchronized String begin() {
    String transaction = "t" + ++begun;
    unfinished.put(transaction, new ArrayList<>());
    log.add("begin " + transaction);
    return transaction;
  }

  public synchronized void write(String transaction, String record) {
    unfinished.get(transaction).add(record);
  }

  public synchronized void preCommit(String transaction) {
    log.add("preCommit " + transaction);
  }

  public synchronized void commit(String transaction) {
    if (failuresLeft > 0) {
      failuresLeft--;
      log.add("failed " + transaction);
      throw new IllegalStateException("the bank is closed");
    }
    log.add("commit " + transaction);
    List<String> records = unfinished.remove(transaction);
    if (records != null) {
      visible.addAll(records);
    }
  }

  public synchronized void abort(String transaction) {
    log.add("abort " + transaction);
    unfinished.remove(transaction);
  }

  public synchronized void note(String event) {
    log.add(event);
  }

  public synchronized List<String> visible() {
    return new ArrayList<>(visible);
  }

  public synchronized List<String> log() {
    return new ArrayList<>(log);
  }

  public synchronized void clearLog() {
    log.clear();
  }
}
