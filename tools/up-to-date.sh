# Succeeds if dependencies and dist/ are up to date. Sourced by npm's shell in the root, because a check in Node costs 0.1 s.
[ -f dist/.setup ] && cmp -s package-lock.json node_modules/.installed-lock.json &&
  [ -z "$(find src tools docs README.md package.json packages/*/package.json vite.config.ts tsconfig.base.json tsconfig.json -newer dist/.setup ! -name '*.test.ts' -print -quit 2>&1)" ]
