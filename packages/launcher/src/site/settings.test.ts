import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { loadEnvFile } from './settings.ts'

afterEach(() => vi.unstubAllEnvs())

test('the shell wins over .env, and names the settings that it overrides', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-env-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, '.env')
  await writeFile(path, 'SITE_URL=https://file.example\nSITE_NAME="News"\nPORT=3000 # the site\nSMTP_URL=\n')
  vi.stubEnv('SITE_URL', 'https://shell.example')
  vi.stubEnv('PORT', '3000')
  vi.stubEnv('SITE_NAME', undefined)
  vi.stubEnv('SMTP_URL', undefined)
  expect(loadEnvFile(path)).toEqual(['SITE_URL'])
  expect([process.env.SITE_URL, process.env.SITE_NAME]).toEqual(['https://shell.example', 'News'])
})

test('without .env there is nothing to override', () => {
  expect(loadEnvFile('/nowhere/.env')).toEqual([])
})
