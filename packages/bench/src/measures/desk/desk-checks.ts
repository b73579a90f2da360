import { stripVTControlCharacters } from 'node:util'
import { milliseconds } from '../../results/figures.ts'
import type { Row } from '../../results/table.ts'
import type { Bench } from '../../sites/bench.ts'
import { runSimulation } from '../simulation.ts'

const resultMark = '› result '

/** Measures previews of unsaved text, and the readiness of an edition with 40 links of which two never reply. */
export async function measureDeskChecks(bench: Bench): Promise<Row[]> {
  let line = ''
  await runSimulation(bench, {
    label: 'Previewing and checking links',
    args: ['--project', 'simulation', 'test/desk-speed'],
    onLine(each) {
      const plain = stripVTControlCharacters(each)
      if (plain.startsWith(resultMark)) line = plain.slice(resultMark.length)
    },
  })
  if (line === '') throw new Error('The simulation printed no result.')
  const [phone = 0, email = 0, sms = 0, pdf = 0, readiness = 0, reading = 0] = line.split(' ').map(Number)
  const row = (measure: string, ms: number, most: number): Row => ({
    measure,
    figure: milliseconds(ms),
    target: `< ${milliseconds(most)}`,
    passed: ms < most,
  })
  return [
    row('preview of eight unsaved memos for the phone', phone, 150),
    row('preview of eight unsaved memos as email', email, 150),
    row('preview of eight unsaved memos as text', sms, 150),
    row('preview of eight unsaved memos as PDF, warm', pdf, 300),
    row('readiness with 40 links, until each is asked', readiness, 5_000),
    { measure: 'a read of it afterwards', figure: milliseconds(reading) },
  ]
}
