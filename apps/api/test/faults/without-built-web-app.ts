import { registerHooks } from 'node:module'

/** Loaded before a process under test: only where it finds the web app is replaced, so that no build is needed. */
registerHooks({
  resolve(specifier, context, next) {
    return specifier === './locations.ts' && context.parentURL?.endsWith('/src/main.ts')
      ? next('./locations-of-test.ts', { ...context, parentURL: import.meta.url })
      : next(specifier, context)
  },
})
