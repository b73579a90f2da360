// Plain JavaScript for any version of Node: after a failed install the machine's own Node runs this file and has to explain
// the problem.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..')
const needed = [
  'node_modules/turbo',
  'packages/launcher/node_modules/pg',
  'apps/api/node_modules/fastify',
  'apps/web/node_modules/vite',
]
const commands = ['start', 'dev', 'test']
const command = process.argv[2] ?? ''

const missing = needed.filter((path) => !existsSync(join(root, path)))
const major = Number(process.versions.node.split('.')[0])

if (missing.length > 0 || major < 24) {
  const reason =
    missing.length > 0 ? `missing: ${missing.join(', ')}` : `this is Node ${process.versions.node}, not 24`
  console.error(
    `The install is incomplete (${reason}).\nRun 'npx --yes pnpm@12 install' to see why, then 'npx --yes pnpm@12 ${command}' again.`,
  )
  process.exit(1)
}
if (!commands.includes(command)) {
  console.error(`Unknown command '${command}'. Use one of: ${commands.join(', ')}.`)
  process.exit(1)
}
// All processes start from the same sources: Node compiles each file once.
process.env.NODE_COMPILE_CACHE ??= join(root, '.cache/compile')
await import(`./${command}.ts`)
