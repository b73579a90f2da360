import { deskContentGroup } from '@tidings/contracts/desk/content/content-groups'
import { dataOf } from '@tidings/contracts/envelope'
import { siteTest } from '../fixtures.ts'

/** Returns `siteTest` with a fixture that reads a content group as an editor. */
export function contentGroupTest() {
  return siteTest().extend('read', { scope: 'file' }, ({ desk }) => async (id: string) => {
    return dataOf(deskContentGroup).parse((await desk.call('GET', `/content-groups/${id}`)).json()).data
  })
}
