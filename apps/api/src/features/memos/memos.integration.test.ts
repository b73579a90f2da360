import { describe, expect, it } from 'vitest'
import { publishedEdition } from '../../../test/factories/editions.ts'
import { useTestApp } from '../../../test/test-app.ts'

describe('GET /edition/prod/{key}', () => {
  it('answers the memos of a published edition in order', async () => {
    const { app, context, pass } = await useTestApp()
    await publishedEdition(context, '11-20-26-10AM', 3)

    const reply = await app.inject({ url: '/edition/prod/11-20-26-10AM', headers: { cookie: pass } })

    expect(reply.statusCode).toBe(200)
    expect(reply.json().map((memo: { title: string }) => memo.title)).toEqual(['Memo 1', 'Memo 2', 'Memo 3'])
  })
})
