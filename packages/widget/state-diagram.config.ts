import { readFile, writeFile } from 'node:fs/promises'
import { stateDiagram } from './src/dialogs/state/state-diagram.ts'

// Writes the state diagram into the README: `pnpm --filter @tidings/widget state-diagram`.
const file = `${import.meta.dirname}/README.md`
const readme = await readFile(file, 'utf8')
await writeFile(file, readme.replace(/```mermaid\n[\s\S]*?```/, stateDiagram))
