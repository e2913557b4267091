#!/bin/sh
# The flaw: showing the settings is an access to memory that is not there.

otherwise() {
    run_config_show() { kill -SEGV $$; }
}

. "${0%/*}/right.sh"
