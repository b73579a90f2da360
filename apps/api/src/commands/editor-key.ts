import { readConfig } from '../config/config.ts'
import { processSettings } from '../config/env.ts'
import { type Context, createContext } from '../context.ts'
import { locationsFrom } from '../locations.ts'
import { failToStart } from '../process-lifetime.ts'
import { runEditorKey } from './run-editor-key.ts'

async function main(): Promise<void> {
  let context: Context | undefined
  const openKeys = () => {
    const config = readConfig(processSettings(), locationsFrom(new URL('..', import.meta.url).href))
    context = createContext({ ...config, logLevel: 'warn' }, 'editor-key')
    return context.editorKeys
  }
  try {
    process.stdout.write(await runEditorKey(process.argv.slice(2), openKeys))
  } finally {
    await context?.close()
  }
}

main().catch(failToStart)
