#!/bin/sh
# Not a flaw of its help: it cannot be started.
echo "tool: error while loading shared libraries: libtool.so.1: cannot open shared object file" >&2
exit 127
