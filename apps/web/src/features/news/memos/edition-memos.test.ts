import { QueryClient } from '@tanstack/react-query'
import { listMemos } from '@tidings/contracts/editions'
import { HttpResponse } from 'msw/http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createStore } from '#lib/storage/store.ts'
import { apiServer, wireMemo } from '#testing/api-handlers.ts'
import { fake } from '#testing/fake.ts'
import { memosOfEdition } from './edition-memos.ts'

const invalid = { title: 'Without a text' }

function readerOf(reply: unknown[]) {
  apiServer.use(fake(listMemos, () => HttpResponse.json(reply)))
  const report = vi.fn<(error: unknown) => void>()
  vi.stubGlobal('reportError', report)
  const client = new QueryClient()
  const store = createStore(() => window.localStorage)
  return { report, read: () => client.fetchQuery(memosOfEdition('11-20-26-3PM', store)) }
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the memos of an edition', () => {
  it('are shown without one that is invalid, which is reported once', async () => {
    const { read, report } = readerOf([invalid, wireMemo({ title: 'Harbour opens' })])
    await read()
    expect((await read()).map(({ title }) => title)).toEqual(['Harbour opens'])
    expect(report).toHaveBeenCalledTimes(1)
  })

  it('fail when none is valid', async () => {
    await expect(readerOf([invalid]).read()).rejects.toThrow('No valid memo')
  })
})
