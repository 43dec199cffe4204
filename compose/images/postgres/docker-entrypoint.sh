#!/usr/bin/env bash
# Initialises the data folder at the first start, then becomes the server; any other command is run
# as it is. Variables, their _FILE twins and /docker-entrypoint-initdb.d as in the official image.
set -euo pipefail

main() {
  [[ ${1-} != -* ]] || set -- postgres "$@"
  [[ ${1-} == postgres ]] && ! only_asked "$@" || exec "$@"
  if ((EUID == 0)); then
    own_folders
    exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
  fi
  if [[ ! -s $PGDATA/PG_VERSION ]]; then
    read_variables
    initialise
    start_for_scripts "${@:2}"
    make_database
    run_scripts
    pg_ctl --pgdata="$PGDATA" --mode=fast --wait --silent stop
    unset PGPASSWORD
    echo "PostgreSQL init process complete; ready for start up."
  fi
  exec "$@"
}

# Whether the server would only answer a question and end.
only_asked() {
  local word
  for word; do
    case $word in -'?' | --help | -V | --version | --describe-config) return ;; esac
  done
  return 1
}

own_folders() {
  mkdir -p "$PGDATA" /var/run/postgresql
  chmod 700 "$PGDATA"
  chown -R postgres:postgres "$PGDATA" /var/run/postgresql
}

# from_file NAME DEFAULT: NAME, else what the file named by NAME_FILE holds (a secret), else DEFAULT.
from_file() {
  local file=$1_FILE
  [[ -z ${!1-} || -z ${!file-} ]] || fail "$1 and $file are both set: leave one out"
  [[ -z ${!file-} ]] || printf -v "$1" '%s' "$(<"${!file}")"
  [[ -n ${!1-} ]] || printf -v "$1" '%s' "$2"
  export "${1?}"
  unset "$file"
}

read_variables() {
  from_file POSTGRES_PASSWORD ""
  from_file POSTGRES_USER postgres
  from_file POSTGRES_DB "$POSTGRES_USER"
  from_file POSTGRES_INITDB_ARGS ""
  : "${POSTGRES_HOST_AUTH_METHOD:=}"
  [[ -n $POSTGRES_PASSWORD || $POSTGRES_HOST_AUTH_METHOD == trust ]] ||
    fail "no password for the superuser: set POSTGRES_PASSWORD, or POSTGRES_HOST_AUTH_METHOD=trust"
}

initialise() {
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  local -a arguments=()
  [[ -z ${POSTGRES_INITDB_WALDIR-} ]] || arguments+=("--waldir=$POSTGRES_INITDB_WALDIR")
  # A shell's words, quotes included, as its name says.
  eval "arguments+=($POSTGRES_INITDB_ARGS)"
  # A line more than the password: initdb refuses an empty file.
  initdb --pgdata="$PGDATA" --username="$POSTGRES_USER" --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") \
    "${arguments[@]}"
  local method=${POSTGRES_HOST_AUTH_METHOD:-$(postgres -C password_encryption -D "$PGDATA")}
  printf '\nhost all all all %s\n' "$method" >>"$PGDATA/pg_hba.conf"
}

# Reached by its socket alone: who waits for the port finds a server that is ready for good.
start_for_scripts() {
  export PGPASSWORD=${PGPASSWORD-$POSTGRES_PASSWORD}
  local options
  printf -v options '%q ' "$@" -c listen_addresses= -p "${PGPORT:-5432}"
  pg_ctl --pgdata="$PGDATA" --options="$options" --wait --silent start
}

make_database() {
  [[ $POSTGRES_DB != postgres ]] || return 0
  local exists
  exists=$(sql postgres -tA --set=name="$POSTGRES_DB" <<<"select 1 from pg_database where datname = :'name'")
  [[ -n $exists ]] || sql postgres --set=name="$POSTGRES_DB" <<<'create database :"name"'
}

run_scripts() {
  local script
  for script in /docker-entrypoint-initdb.d/*; do
    echo "$0: running $script"
    case $script in
      *.sh) if [[ -x $script ]]; then "$script"; else . "$script"; fi ;;
      *.sql) sql "$POSTGRES_DB" --file="$script" ;;
      *.sql.gz) gunzip --stdout "$script" | sql "$POSTGRES_DB" ;;
      *) echo "$0: ignoring $script" ;;
    esac
  done
}

# sql DATABASE ARGUMENT...: as the superuser, by the socket; the first error ends it.
sql() {
  PGHOST='' PGHOSTADDR='' psql --set=ON_ERROR_STOP=1 --no-psqlrc --no-password \
    --username="$POSTGRES_USER" --dbname="$@"
}

fail() {
  echo "error: $1" >&2
  exit 1
}

shopt -s nullglob
main "$@"
