import { readConfig } from '../config/config.ts'
import { processSettings } from '../config/env.ts'
import { locationsFrom } from '../locations.ts'
import { failToStart } from '../process-lifetime.ts'
import { runDeliveries } from './run-deliveries.ts'

async function main(): Promise<void> {
  const locations = locationsFrom(new URL('..', import.meta.url).href)
  const args = process.argv.slice(2)
  process.stdout.write(await runDeliveries(args, () => readConfig(processSettings(), locations)))
}

main().catch(failToStart)
