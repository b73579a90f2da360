import { describe, expect } from 'vitest'
import { contentGroupTest } from '#test/content/content-groups.ts'
import { refusalOf } from '#test/desk.ts'
import { groupElsewhere } from '#test/factories/other-app.ts'

const unknownId = 'grp_aaaaaaaaaaaaaaaaaaaaaaaa'
const good = { key: 'a-group', name: 'A group' }

const it = contentGroupTest()

describe('/desk/v1/content-groups/{id}', () => {
  const calls = [{ method: 'GET' }, { method: 'PATCH', body: { name: 'New' } }, { method: 'DELETE' }] as const

  it.for(calls)('returns 404 to $method of an unknown group', async ({ method, ...rest }, { desk }) => {
    const reply = await desk.call(method, `/content-groups/${unknownId}`, { ...rest, ifMatch: '"1"' })

    expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'content-group-not-found' })
  })

  it.for(calls)(
    'returns 404 to $method of a group of another app',
    async ({ method, ...rest }, { site, desk }) => {
      const id = await groupElsewhere(site.context, `elsewhere-${method.toLowerCase()}`)

      const reply = await desk.call(method, `/content-groups/${id}`, { ...rest, ifMatch: '"1"' })

      expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'content-group-not-found' })
    },
  )

  it.for(calls)('returns 400 to $method of an invalid id', async ({ method, ...rest }, { desk }) => {
    const reply = await desk.call(method, '/content-groups/1%20OR%201=1', { ...rest, ifMatch: '"1"' })

    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
  })

  it.for([
    { ifMatch: undefined, status: 428, code: 'version-required' },
    { ifMatch: '"7"', status: 409, code: 'version-conflict' },
    { ifMatch: 'newest', status: 400, code: 'invalid-request' },
  ])('rejects If-Match $ifMatch', async ({ ifMatch, status, code }, { desk }) => {
    const { id } = await desk.addGroup()
    const options = ifMatch === undefined ? {} : { ifMatch }

    const change = await desk.call('PATCH', `/content-groups/${id}`, { body: { name: 'New' }, ...options })
    const removal = await desk.call('DELETE', `/content-groups/${id}`, options)

    expect(refusalOf(change)).toMatchObject({ status, code })
    expect(refusalOf(removal)).toMatchObject({ status, code })
  })

  it('adds an audit entry for each change, with the previous state', async ({ desk, read }) => {
    const group = await desk.addGroup({ name: 'First' })
    await desk.call('PATCH', `/content-groups/${group.id}`, { body: { name: 'Second' }, ifMatch: '"1"' })
    await desk.call('PATCH', `/content-groups/${group.id}`, { body: { name: 'Refused' }, ifMatch: '"1"' })
    const changed = await read(group.id)
    await desk.call('DELETE', `/content-groups/${group.id}`, { ifMatch: '"2"' })

    const lines = await desk.auditOf(group.id)

    expect(lines.map(({ action, details }) => ({ action, details }))).toEqual([
      { action: 'content-group.create', details: { key: group.key, name: 'First' } },
      { action: 'content-group.change', details: { before: group, changed: ['name'] } },
      { action: 'content-group.remove', details: { group: changed } },
    ])
  })

  it('requires the scope read for reading and publish for changes', async ({ desk }) => {
    const { id } = await desk.addGroup()
    const [{ as: reader }, { as: writer }, { as: publisher }] = [
      await desk.keyWith('read', 'write'),
      await desk.keyWith('write', 'publish'),
      await desk.keyWith('publish'),
    ]

    const refused = [
      await desk.call('GET', '/content-groups', { as: writer }),
      await desk.call('GET', `/content-groups/${id}`, { as: writer }),
      await desk.call('POST', '/content-groups', { body: good, as: reader }),
      await desk.call('PATCH', `/content-groups/${id}`, { body: { name: 'X' }, ifMatch: '"1"', as: reader }),
      await desk.call('DELETE', `/content-groups/${id}`, { ifMatch: '"1"', as: reader }),
    ]
    const removal = await desk.call('DELETE', `/content-groups/${id}`, { ifMatch: '"1"', as: publisher })

    for (const reply of refused) {
      expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'scope-missing' })
    }
    expect(removal.statusCode).toBe(200)
  })
})
