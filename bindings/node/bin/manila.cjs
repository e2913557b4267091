#!/usr/bin/env node
'use strict'
// The program `manila` itself, in this process.

const native = require('../lib/native.cjs')

process.exitCode = native.main(['manila', ...process.argv.slice(2)])
