import { writeFileSync } from 'node:fs'
import { formatEnvExample } from '../config/env-example.ts'

writeFileSync(new URL('../../../../.env.example', import.meta.url), formatEnvExample())
