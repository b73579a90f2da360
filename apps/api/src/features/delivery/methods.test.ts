import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { deliveryMethods, factsOf } from '@tidings/contracts/delivery/methods'
import { describe, expect, it } from 'vitest'
import { firstAppConfig } from '#platform/membership-apps/app-config.ts'
import { fromWireMethod, methodsTo, toWireMethod } from './methods.ts'

const root = new URL('../../../../../', import.meta.url)
const trees = ['apps/api/src', 'apps/api/seed', 'apps/web/src', 'packages', 'prisma']
/** Files that need no change for a new method: tests, measurements, seeds and the dashboard's odd rule of ADR 5. */
const left =
  /node_modules|\/dist\/|\/generated\/|\.test\.tsx?$|\/testing\/|packages\/(bench|emulators)\/|seed\/content\/members|missing-detail/
const sources = /\.(ts|tsx|prisma|sql)$/

describe('the methods of the ledger', () => {
  it('are those of the contracts', () => {
    expect(deliveryMethods.map(fromWireMethod).map(toWireMethod)).toEqual(deliveryMethods)
    expect([...methodsTo('email'), ...methodsTo('number')].sort()).toEqual(
      deliveryMethods.map(fromWireMethod).sort(),
    )
  })

  it('have a hidden boolean field in the first configuration of an app', () => {
    const { customFields } = firstAppConfig('Tidings')
    for (const method of deliveryMethods) {
      const field = customFields.find(({ key }) => key === factsOf(method).field)
      expect(field).toMatchObject({ hidden: true, type: 'boolean' })
    }
  })
})

it('a delivery method is named in five files at most, its migration included', async () => {
  const files = await listSources()
  for (const method of deliveryMethods.filter((each) => each !== 'digest')) {
    const names = [method, fromWireMethod(method), factsOf(method).field, factsOf(method).label]
    const word = new RegExp(`\\b(?:${names.join('|')})\\b`)
    const naming = files.filter(({ text }) => word.test(text)).map(({ path }) => path)
    expect(naming.sort()).toEqual([
      'apps/api/src/features/delivery/methods.ts',
      'apps/api/src/platform/membership-apps/app-config.ts',
      'packages/contracts/src/delivery/methods.ts',
      'prisma/migrations/20261123061000_delivery/migration.sql',
      'prisma/schema/delivery.prisma',
    ])
  }
})

async function listSources(): Promise<{ path: string; text: string }[]> {
  const found = await Promise.all(
    trees.map(async (tree) => {
      const entries = await readdir(new URL(tree, root), { recursive: true })
      return entries.map((entry) => `${tree}/${entry}`)
    }),
  )
  const paths = found.flat().filter((path) => sources.test(path) && !left.test(path))
  return await Promise.all(
    paths.map(async (path) => ({ path, text: await readFile(fileURLToPath(new URL(path, root)), 'utf8') })),
  )
}
