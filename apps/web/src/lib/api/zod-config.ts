import { config } from 'zod/mini'

// Without this, zod compiles its parsers with `new Function`, which the page's security policy forbids.
config({ jitless: true })
