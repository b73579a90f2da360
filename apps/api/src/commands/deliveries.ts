import { readConfig } from '../config/config.ts'
import { processSettings } from '../config/env.ts'
import { locationsFrom } from '../locations.ts'
import { failToStart } from '../process-lifetime.ts'
import { runCheck, runDeliveries } from './run-deliveries.ts'

async function main(): Promise<void> {
  const locations = locationsFrom(new URL('..', import.meta.url).href)
  const args = process.argv.slice(2)
  const config = () => readConfig(processSettings(), locations)
  if (args[0] !== 'check') {
    process.stdout.write(await runDeliveries(args, config))
    return
  }
  // Needs no database.
  const { text, isComplete } = await runCheck(args.slice(1), config)
  process.stdout.write(text)
  if (!isComplete) process.exitCode = 1
}

main().catch(failToStart)
