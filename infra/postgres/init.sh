#!/bin/bash
# For Compose: init.sql with the roles' passwords, which come from secrets and reach the server as session settings.
set -euo pipefail

setting() {
  printf -- "-c pipeline.%s=%s " "$1" "$(sed 's/[\\ ]/\\&/g' "/run/secrets/$2")"
}

PGOPTIONS="$(setting signup_password signup_db_password)$(setting relay_password relay_db_password)$(
  setting email_password email_db_password)" \
  psql -v ON_ERROR_STOP=1 --no-psqlrc --username "$POSTGRES_USER" --dbname postgres -f /pipeline/init.sql
