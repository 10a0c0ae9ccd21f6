do $$ begin
  if not exists (select from pg_roles where rolname = 'relay') then
    raise exception 'role "relay" is missing: run infra/postgres/init.sql as a superuser before signup-service starts';
  end if;
end $$;

create table users (
  id            uuid primary key,
  email         text not null,
  first_name    text not null,
  last_name     text not null,
  password_hash text,
  created_at    timestamptz not null default now()
);

-- pg_c_utf8 knows the case of every letter; the database's own collation may know ASCII alone
create unique index users_email_key on users (lower(email collate pg_c_utf8));

comment on column users.password_hash is 'bcrypt; null where the user gave no password';

-- The names are those of Debezium's Outbox Event Router. json, not jsonb: the payload is to arrive byte for byte.
create table outbox (
  id            uuid primary key,
  aggregatetype text not null,
  aggregateid   text not null,
  type          text not null,
  payload       json not null,
  traceparent   text,
  created_at    timestamptz not null default now()
);

-- for the purge, replays by time, and the audit of the retention window
create index outbox_created_at_idx on outbox (created_at);

create publication outbox for table outbox with (publish = 'insert', publish_via_partition_root = true);

grant select on outbox to relay;
