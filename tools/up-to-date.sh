# Succeeds when dependencies and dist/ are as new as what they are made from. Read by npm's shell at the root, because a Node check costs 0.1 s.
[ -f dist/.setup ] && cmp -s package-lock.json node_modules/.installed-lock.json &&
  [ -z "$(find src tools package.json vite.config.ts tsconfig.base.json tsconfig.json -newer dist/.setup ! -name '*.test.ts' -print -quit 2>&1)" ]
