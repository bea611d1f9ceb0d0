/** Commits prepared transactions and proves their outcome; not for users. */
@NullMarked
package dev.twophase.kafka.internal.commit;

import org.jspecify.annotations.NullMarked;
