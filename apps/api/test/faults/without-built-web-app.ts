import { registerHooks } from 'node:module'

const locations = new URL('./locations-of-test.ts', import.meta.url).href

/** Loaded before a process under test. Replaces only the location of the web app, so that no build is needed. */
registerHooks({
  resolve(specifier, context, next) {
    const replaced = specifier === './locations.ts' && context.parentURL?.endsWith('/src/main.ts')
    return next(replaced ? locations : specifier, context)
  },
})
