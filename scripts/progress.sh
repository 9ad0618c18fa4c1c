# Sourced by the scripts: where things are kept, how a step shows that it lives, and how a script gives up.

cache=${XDG_CACHE_HOME:-${HOME:?HOME is not set}/.cache}/botpsy
logs=.cache/setup

# fail TEXT: says in one line why it cannot go on.
fail() {
  printf 'botpsy: %s\n' "$*" >&2
  exit 1
}

# step TITLE COMMAND...: runs the command, shows how long it has been at it, keeps its output in a log, shows that log's end if it fails.
step() {
  local title=$1 began=$SECONDS log pid rc=0 shown=0
  shift
  mkdir -p "$logs"
  log=$logs/$(printf '%s' "$title" | tr -cs 'A-Za-z0-9' '-' | tr 'A-Z' 'a-z').log
  [ -t 1 ] || printf '  %s\n' "$title"
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  trap 'kill "$pid" 2>/dev/null; exit 130' INT TERM
  while kill -0 "$pid" 2>/dev/null; do
    if [ -t 1 ]; then
      printf '\r\033[K  %s  %ds  \033[2m%s\033[0m' "$title" $((SECONDS - began)) "$(last_line "$log")"
      sleep 0.3
    else
      sleep 0.2
      if [ $((SECONDS - began - shown)) -ge 20 ]; then
        shown=$((SECONDS - began))
        printf '    %ds  %s\n' "$shown" "$(last_line "$log")"
      fi
    fi
  done
  wait "$pid" || rc=$?
  trap - INT TERM
  if [ "$rc" -ne 0 ]; then
    [ -t 1 ] && printf '\r\033[K'
    tail -n 15 "$log" >&2
    fail "$title: failed (whole log: $log)"
  fi
  [ -t 1 ] && printf '\r\033[K  %s  \033[2m%ds\033[0m\n' "$title" $((SECONDS - began))
  return 0
}

# last_line FILE: the end of a log as one short line.
last_line() {
  tail -c 8000 "$1" | tr '\r' '\n' | sed -e 's/\x1b\[[0-9;]*[A-Za-z]//g' -e '/^[[:space:]]*$/d' | tail -n 1 | cut -c 1-60
}

# digest FILE...: one short name for the contents of these files.
digest() {
  cat "$@" | sha256sum | cut -c 1-16
}
