package dev.signups.service.stage;

import dev.signups.service.signup.NewUser;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The table {@code jobs}: made by stage 2 itself, so that the pipeline's database never has it. */
class Jobs {

    private final JdbcClient jdbc;

    Jobs(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void createTable() {
        jdbc.sql("""
                create table if not exists jobs (
                  id         bigint generated always as identity primary key,
                  user_id    uuid not null references users,
                  email      text not null,
                  first_name text not null,
                  status     text not null default 'PENDING',
                  created_at timestamptz not null default now()
                )""").update();
        jdbc.sql("create index if not exists jobs_pending_idx on jobs (id) where status = 'PENDING'")
                .update();
    }

    void add(NewUser user) {
        jdbc.sql("insert into jobs (user_id, email, first_name) values (?, ?, ?)")
                .params(user.id(), user.email(), user.firstName())
                .update();
    }

    /** The oldest that no other worker holds; they stay locked until the transaction ends. */
    List<Job> claim(int limit) {
        return jdbc.sql("""
                        select id, email, first_name from jobs
                        where status = 'PENDING'
                        order by id
                        limit ?
                        for update skip locked""")
                .param(limit)
                .query((row, number) -> new Job(row.getLong("id"), row.getString("email"), row.getString("first_name")))
                .list();
    }

    void markSent(Job job) {
        jdbc.sql("update jobs set status = 'SENT' where id = ?").param(job.id()).update();
    }
}
