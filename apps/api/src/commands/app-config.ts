import { readConfig } from '../config/config.ts'
import { processSettings } from '../config/env.ts'
import { createContext } from '../context.ts'
import { locationsFrom } from '../locations.ts'
import { failToStart } from '../process-lifetime.ts'
import { readArguments, runAppConfig, usage } from './app-config-command.ts'

async function main(): Promise<void> {
  const args = readArguments(process.argv.slice(2))
  const print = (text: string) => void process.stdout.write(text)
  if (args.command === undefined) return print(usage)
  const config = readConfig(processSettings(), locationsFrom(new URL('..', import.meta.url).href))
  const context = createContext({ ...config, logLevel: 'warn' }, 'app-config')
  try {
    await context.ensureSiteApp()
    await runAppConfig(context, args, print)
  } finally {
    await context.close()
  }
}

main().catch(failToStart)
