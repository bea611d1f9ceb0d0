package dev.twophase.internal.flink;

import java.io.Serializable;
import java.util.function.Supplier;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Makes a handle serializer where it is needed; the serializers themselves need not be shipped. */
public interface HandleSerializerSource<H>
    extends Supplier<SimpleVersionedSerializer<H>>, Serializable {}
