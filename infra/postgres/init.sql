-- The databases and least-privilege roles of the pipeline, for the local stack and for Compose alike.
-- Run once, as a superuser, in database `postgres`. Statements are separated by an empty line, and have none inside.
-- Passwords come from the session settings pipeline.signup_password, .relay_password and .email_password
-- (PGOPTIONS='-c pipeline.signup_password=…'); without one the role has no password, which only `trust` lets in.

-- owns the tables of database `signup`: users and their outbox
do $$ begin
  execute format('create role signup login password %L', current_setting('pipeline.signup_password', true));
end $$;

-- reads the write-ahead log and the outbox, and writes neither; its grants on the outbox come with the table (Flyway)
do $$ begin
  execute format('create role relay login replication password %L', current_setting('pipeline.relay_password', true));
end $$;

-- owns the ledger of deliveries, in a database of its own
do $$ begin
  execute format('create role email login password %L', current_setting('pipeline.email_password', true));
end $$;

create database signup owner signup;

create database email owner email;

revoke all on database signup from public;

revoke all on database email from public;

grant connect on database signup to relay;
