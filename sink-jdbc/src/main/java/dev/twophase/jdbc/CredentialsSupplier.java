package dev.twophase.jdbc;

import java.io.Serializable;

/**
 * Asks for credentials on the cluster, each time a connection is made: from the environment, a file
 * or a vault. What it captures is stored with the job, so it must not capture the secret itself.
 */
@FunctionalInterface
public interface CredentialsSupplier extends Serializable {

  Credentials get();
}
