package dev.twophase.jdbc.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.CommitOutcome;
import dev.twophase.error.CommitRefusedException;
import dev.twophase.jdbc.Credentials;
import dev.twophase.jdbc.Sinks;
import dev.twophase.jdbc.Sql;
import dev.twophase.jdbc.TransactionalJdbcSink;
import dev.twophase.testkit.connector.DrivenConnector;
import dev.twophase.testkit.connector.Prepared;
import dev.twophase.testkit.jdbc.DatabaseExtension;
import dev.twophase.testkit.jdbc.PostgresServer;
import java.io.Serializable;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The server says no for certain, though only when it is asked to commit, and names no row. */
@Timeout(120)
class DeferredConstraintTest {

  @RegisterExtension
  static final DatabaseExtension<PostgresServer> DATABASE =
      DatabaseExtension.of(() -> PostgresServer.builder().setting("fsync", "off").build());

  private final PostgresServer server = DATABASE.server();

  /** A member of a tree; the parent may come later. */
  private record Member(long id, Long parent, String name) implements Serializable {}

  private static Member member(long id, Long parent) {
    return new Member(id, parent, "first");
  }

  @BeforeEach
  void createTree() throws Exception {
    Sql.execute(
        server,
        "DROP TABLE IF EXISTS tree, rejected, twophase_ledger, twophase_ledger_staging",
        "CREATE TABLE tree (id BIGINT PRIMARY KEY,"
            + " parent BIGINT REFERENCES tree DEFERRABLE INITIALLY DEFERRED, name TEXT)",
        "INSERT INTO tree VALUES (0, NULL, 'root')");
  }

  private TransactionalJdbcSink<Member> inserts() {
    String user = server.user();
    return TransactionalJdbcSink.<Member>builder()
        .name("tree")
        .url(server.url())
        .credentials(() -> new Credentials(user, "none"))
        .insertInto("tree")
        .key("id", Member::id)
        .column("parent", Member::parent)
        .column("name", Member::name)
        .createTables();
  }

  private TransactionalJdbcSink<Member> tolerant(TransactionalJdbcSink<Member> sink) {
    return sink.deadLetterTable("rejected");
  }

  private void commit(TransactionalJdbcSink<Member> sink, Member... members) throws Exception {
    try (DrivenConnector<Member, Object, ?> writer = Sinks.writer(sink, "tree", 0);
        DrivenConnector<Member, Object, ?> committer = Sinks.committer(sink, "tree")) {
      assertThat(committer.commit(writer.prepare(0, members))).isEqualTo(CommitOutcome.committed());
    }
  }

  private List<String> tree() throws Exception {
    return Sql.column(server, "SELECT id FROM tree ORDER BY id");
  }

  private List<String> rejected() throws Exception {
    return Sql.column(server, "SELECT position FROM rejected ORDER BY position");
  }

  @Test
  void aChildBeforeItsParentIsNotRefusedWithAnOrphan() throws Exception {
    commit(
        tolerant(inserts()),
        member(4, 3L),
        member(3, 2L),
        member(7, 99L),
        member(2, 0L),
        member(8, 7L));

    assertThat(tree()).containsExactly("0", "2", "3", "4");
    assertThat(rejected()).containsExactly("3", "5");
  }

  @Test
  void theRowThatIsRefusedIsNamedNotTheChildBeforeIt() throws Exception {
    TransactionalJdbcSink<Member> sink = inserts();
    try (DrivenConnector<Member, Object, ?> writer = Sinks.writer(sink, "tree", 0);
        DrivenConnector<Member, Object, ?> committer = Sinks.committer(sink, "tree")) {
      Prepared prepared = writer.prepare(0, member(4, 3L), member(7, 99L), member(3, 0L));

      assertThatThrownBy(() -> committer.commit(prepared))
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining("refuses row 2 of 3")
          .hasMessageContaining("id=7");
    }
    assertThat(tree()).containsExactly("0");
  }

  @Test
  void ofRowsThatNeedOneAnotherNoneIsRefused() throws Exception {
    Sql.execute(
        server, "ALTER TABLE tree ADD CONSTRAINT late UNIQUE (name) DEFERRABLE INITIALLY DEFERRED");
    commit(
        tolerant(inserts()),
        new Member(1, 2L, "one"),
        new Member(2, 1L, "two"),
        new Member(3, null, "root"));

    assertThat(tree()).containsExactly("0", "1", "2");
    assertThat(rejected()).containsExactly("3");
  }

  /** Else the row would be left as the earlier record has it. */
  @Test
  void recordsOfAKeyKeepTheirOrder() throws Exception {
    commit(
        tolerant(inserts().upsertInto("tree")),
        new Member(5, 6L, "old"),
        new Member(5, 0L, "new"),
        member(6, 0L),
        new Member(8, 99L, "old"),
        new Member(8, 0L, "new"),
        member(9, 99L));

    assertThat(Sql.column(server, "SELECT name FROM tree WHERE id IN (5, 8)"))
        .containsExactly("new", "new");
    assertThat(rejected()).containsExactly("4", "6");
  }

  @Test
  void statementsOfTheUsersOwnKeepTheirOrder() throws Exception {
    TransactionalJdbcSink<Member> own =
        TransactionalJdbcSink.<Member>builder()
            .name("tree")
            .url(server.url())
            .credentials(() -> new Credentials("postgres", "none"))
            .sql(
                "INSERT INTO tree (id, parent, name) VALUES (?, ?, ?)"
                    + " ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name",
                (member, parameters) -> {
                  parameters.set(1, member.id());
                  parameters.set(2, member.parent());
                  parameters.set(3, member.name());
                })
            .createTables();
    commit(
        tolerant(own),
        new Member(1, 0L, "old"),
        member(7, 99L),
        new Member(1, 0L, "new"),
        member(9, 98L));

    assertThat(tree()).containsExactly("0", "1");
    assertThat(Sql.column(server, "SELECT name FROM tree WHERE id = 1")).containsExactly("new");
    assertThat(rejected()).containsExactly("2", "4");
  }

  /** Its first word does not tell, and no row is to blame. */
  @Test
  void aStatementThatWantsToEndTheTransactionIsNamedAndMakesNoDeadLetters() throws Exception {
    Sql.execute(
        server,
        "CREATE OR REPLACE PROCEDURE add_member(member BIGINT) LANGUAGE plpgsql AS"
            + " 'BEGIN INSERT INTO tree VALUES (member, 0); COMMIT; END'");
    TransactionalJdbcSink<Member> ending =
        TransactionalJdbcSink.<Member>builder()
            .name("tree")
            .url(server.url())
            .credentials(() -> new Credentials("postgres", "none"))
            .sql("CALL add_member(?)", (member, parameters) -> parameters.set(1, member.id()))
            .createTables();

    assertThatThrownBy(() -> commit(tolerant(ending), member(1, 0L)))
        .isInstanceOf(CommitRefusedException.class)
        .hasMessageContaining("cannot be part of a transaction")
        .hasMessageContaining("sql(...)");
    assertThat(tree()).containsExactly("0");
    assertThat(rejected()).isEmpty();
  }

  @Test
  void ofTwoRowsThatExcludeEachOtherTheSecondIsRefused() throws Exception {
    Sql.execute(
        server, "ALTER TABLE tree ADD CONSTRAINT late UNIQUE (name) DEFERRABLE INITIALLY DEFERRED");
    Member[] members = {new Member(1, 0L, "a"), new Member(2, 0L, "a"), new Member(3, 0L, "c")};
    try (DrivenConnector<Member, Object, ?> writer = Sinks.writer(inserts(), "tree", 0);
        DrivenConnector<Member, Object, ?> committer = Sinks.committer(inserts(), "tree")) {
      Prepared prepared = writer.prepare(0, members);
      assertThatThrownBy(() -> committer.commit(prepared))
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining("row 2 of 3");
    }
    assertThat(tree()).containsExactly("0");

    commit(tolerant(inserts()), members);
    assertThat(tree()).containsExactly("0", "1", "3");
    assertThat(rejected()).containsExactly("2");
  }
}
