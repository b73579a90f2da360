import type { Progress } from '@tidings/launcher/progress'
import type { Site } from '@tidings/launcher/site'
import type { Databases } from './data/databases.ts'
import type { Lifetime } from './lifetime.ts'
import type { Row } from './results/table.ts'

/** What every measure works with. */
export type Bench = {
  quick: boolean
  progress: Progress
  lifetime: Lifetime
  /** The shared database server, started when first asked for. */
  databases(): Promise<Databases>
  /** A whole seeded site as readers find it, started when first asked for. */
  site(): Promise<Site>
}

/** Measures one thing and answers with its lines of the table; rejects when it could not be measured. */
export type Measure = (bench: Bench) => Promise<Row[]>
