import { textComparison, textVersionSummary } from '@tidings/contracts/desk/writing/version-terms'
import { dataOf, pageOf } from '@tidings/contracts/envelope'
import type { z } from 'zod'
import type { TestDesk } from '../desk.ts'

/** Calls of the working copy and the versions of the memo or article at `path`. */
export function createTextWriter<Copy>(desk: TestDesk, path: string, copy: z.ZodType<Copy>) {
  const copyPath = `${path}/working-copy`
  return {
    save: (version: number, body: object, options: object = {}) =>
      desk.call('PUT', copyPath, { body, ifMatch: `"${version}"`, ...options }),
    publish: (version: number, body?: object, options: object = {}) =>
      desk.call('POST', `${copyPath}/publish`, { body, ifMatch: `"${version}"`, ...options }),
    discard: (version: number) => desk.call('DELETE', copyPath, { ifMatch: `"${version}"` }),
    read: async () => dataOf(copy).parse((await desk.call('GET', copyPath)).json()).data,
    versions: async () =>
      pageOf(textVersionSummary).parse((await desk.call('GET', `${path}/versions`)).json()).data,
    compare: async (version: string, later?: string) => {
      const query = later === undefined ? '' : `?with=${later}`
      const reply = await desk.call('GET', `${path}/versions/${version}/comparison${query}`)
      return dataOf(textComparison).parse(reply.json()).data.fields
    },
    restore: (id: string, version: number) =>
      desk.call('POST', `${path}/versions/${id}/restore`, { ifMatch: `"${version}"` }),
  }
}
