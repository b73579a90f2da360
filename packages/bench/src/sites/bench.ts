import type { Progress } from '@tidings/launcher/progress'
import type { Site } from '@tidings/launcher/site'
import type { Databases } from '../data/databases.ts'
import type { Lifetime } from '../programs/lifetime.ts'
import type { Row } from '../results/table.ts'

/** The parts that every measure uses. */
export type Bench = {
  quick: boolean
  progress: Progress
  lifetime: Lifetime
  /** Returns the shared database server, started on first use. */
  databases(): Promise<Databases>
  /** Returns a complete seeded site, started on first use. */
  site(): Promise<Site>
}

/** Measures one thing and returns its rows of the table. Rejects when it could not be measured. */
export type Measure = (bench: Bench) => Promise<Row[]>
