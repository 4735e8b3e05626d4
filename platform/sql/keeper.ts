/**
 * `/bin/sh -c keeper NAME LIBRARIES PROGRAM ARGUMENTS…` runs a program of PostgreSQL for as long as a process
 * holds the writing end of its standard input, the lifeline. When the last such process has closed it or
 * died, the read ends and the program gets SIGINT: a fast and clean shutdown. If it has not ended after a
 * second and a half, it gets SIGQUIT: a server ends at once and recovers what was committed when it starts
 * again.
 */
export const keeper = `
export LD_LIBRARY_PATH="$1" DYLD_LIBRARY_PATH="$1"
shift
exec 3<&0
"$@" 3<&- </dev/null & program=$!
(
  read -r _ <&3
  kill -INT $program
  trap 'kill $nap; exit' TERM
  sleep 1.5 & nap=$!
  wait $nap
  kill -QUIT $program
) 2>/dev/null & watch=$!
exec 3<&-
wait $program
status=$?
kill $watch 2>/dev/null
exit $status`;
