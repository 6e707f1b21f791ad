#!/bin/sh
# Succeeds when dependencies and dist/ are as new as what they are made from. In sh, because a Node check costs 0.1 s.
cd "$(dirname "$0")/.." || exit 1
[ -f dist/.setup ] || exit 1
cmp -s package-lock.json node_modules/.installed-lock.json || exit 1
[ -z "$(find src tools package.json vite.config.ts tsconfig.base.json tsconfig.json -newer dist/.setup ! -name '*.test.ts' -print 2>/dev/null | head -n 1)" ]
