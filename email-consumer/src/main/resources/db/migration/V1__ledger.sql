-- One row per e-mail that is owed to a user. The row is the truth: Kafka may deliver an event again, this key says no.
create table email_delivery (
  user_id             text        not null,
  email_type          text        not null,
  sequence            bigint      not null generated always as identity,
  status              text        not null check (status in ('PENDING', 'SENDING', 'SENT', 'FAILED')),
  -- counted when a sender takes the row, so that an attempt that kills the process is counted too
  attempts            integer     not null default 0 check (attempts >= 0),
  next_attempt_at     timestamptz,
  claim_token         uuid,
  lease_until         timestamptz,
  -- start of the first attempt under the present key that the provider may have accepted; null: certainly none
  unknown_since       timestamptz,
  key_generation      integer     not null default 0,
  recipient           text        not null,
  arguments           jsonb       not null,
  event_id            text,
  event_time          timestamptz not null,
  last_outcome        text,
  last_error          text,
  provider_message_id text,
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now(),
  sent_at             timestamptz,
  primary key (user_id, email_type),
  check ((status = 'PENDING') = (next_attempt_at is not null)),
  check ((status = 'SENDING') = (claim_token is not null and lease_until is not null)),
  check ((status = 'SENT') = (sent_at is not null))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);

create index email_delivery_due on email_delivery (next_attempt_at) where status = 'PENDING';
create index email_delivery_leased on email_delivery (lease_until) where status = 'SENDING';
create index email_delivery_open on email_delivery (event_time) where status in ('PENDING', 'SENDING');
create index email_delivery_failed on email_delivery (sequence) where status = 'FAILED';
create unique index email_delivery_sequence on email_delivery (sequence);

-- Records that could not be read, as they came, until somebody has dealt with them.
create table bad_record (
  topic       text        not null,
  partition   integer     not null,
  "offset"    bigint      not null,
  reason      text        not null,
  value       bytea,
  headers     jsonb       not null,
  event_time  timestamptz not null,
  created_at  timestamptz not null default now(),
  resolved_at timestamptz,
  primary key (topic, partition, "offset")
);

create index bad_record_open on bad_record (created_at) where resolved_at is null;

-- Addresses that get no e-mail, in lower case.
create table suppressed_address (
  address    text        primary key check (address = lower(address)),
  reason     text,
  created_by text        not null,
  created_at timestamptz not null default now()
);

-- What all instances obey: one row.
create table sending_control (
  one             boolean primary key default true check (one),
  paused          boolean not null default false,
  changed_by      text,
  changed_at      timestamptz,
  throttled_until timestamptz
);

insert into sending_control default values;
