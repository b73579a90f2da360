import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freePort, isPortFree } from './free-port.ts'

test('a free port is taken once a server listens on it', async () => {
  const port = await freePort()
  expect(await isPortFree(port)).toBe(true)
  const server = createServer()
  onTestFinished(() => void server.close())
  await once(server.listen(port, '127.0.0.1'), 'listening')
  expect(await isPortFree(port)).toBe(false)
})

test('returns each port once, and none from the ephemeral range', async () => {
  const ports = await Promise.all(Array.from({ length: 200 }, freePort))
  expect(new Set(ports).size).toBe(200)
  expect(ports.filter((port) => port >= 32_768 || port < 1_024)).toEqual([])
})
