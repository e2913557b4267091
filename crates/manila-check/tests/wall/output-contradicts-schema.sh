#!/bin/sh
# The flaw: the schema of the settings is that of an earlier release.

otherwise() {
    config_schema='{"type":"object","required":["limit","theme"],"properties":{"limit":{"type":"integer"},"theme":{"type":"string"}}}'
}

. "${0%/*}/right.sh"
