import { readConfig } from '../config/config.ts'
import { processSettings } from '../config/env.ts'
import { locationsFrom } from '../locations.ts'
import { failToStart } from '../process-lifetime.ts'
import { runSearch } from './run-search.ts'

async function main(): Promise<void> {
  const locations = locationsFrom(new URL('..', import.meta.url).href)
  const print = (text: string) => void process.stdout.write(text)
  await runSearch(process.argv.slice(2), () => readConfig(processSettings(), locations), print)
}

main().catch(failToStart)
