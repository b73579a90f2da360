import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@tidings/launcher/free-port'
import { z } from 'zod'

const alertsReply = z.object({
  data: z.object({
    alerts: z.array(z.object({ state: z.string(), labels: z.record(z.string(), z.string()) })),
  }),
})

const rules = join(import.meta.dirname, '../../alerts/tidings.rules.yml')

/** A Prometheus that scrapes a site every 15 seconds, as the documents recommend. */
export type Prometheus = {
  /** Returns the names of the alerts that fire. */
  firing(): Promise<Set<string>>
  stop(): Promise<void>
}

/** Starts `prometheus` with the alerts. `folder` is for its configuration and data. */
export async function startPrometheus({
  folder,
  apiPort,
  workerPort,
  token,
}: {
  folder: string
  apiPort: number
  workerPort: number
  token: string
}): Promise<Prometheus> {
  const home = join(folder, 'prometheus')
  await mkdir(home)
  const file = join(home, 'prometheus.yml')
  const job = (name: string, port: number) => ({
    job_name: name,
    authorization: { credentials: token },
    static_configs: [{ targets: [`127.0.0.1:${port}`] }],
  })
  // JSON is YAML.
  await writeFile(
    file,
    JSON.stringify({
      global: { scrape_interval: '15s', evaluation_interval: '15s' },
      rule_files: [rules],
      scrape_configs: [job('tidings-api', apiPort), job('tidings-worker', workerPort)],
    }),
  )
  const port = await freePort()
  const child = spawn(
    'prometheus',
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${home}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { stdio: 'inherit' },
  )
  const failed = new Promise<never>((_, reject) => {
    child.on('error', ({ message }) =>
      reject(new Error(`prometheus did not run (${message}). Install it: apt-get install prometheus`)),
    )
    child.on('exit', (code) => reject(new Error(`prometheus ended with ${code}.`)))
  })
  failed.catch(() => {})
  const url = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await Promise.race([isReady(), failed]))) await pause(200)
  return {
    async firing() {
      const reply = alertsReply.parse(await (await fetch(`${url}/api/v1/alerts`)).json())
      const firing = reply.data.alerts.filter(({ state }) => state === 'firing')
      return new Set(firing.map(({ labels }) => labels.alertname ?? ''))
    },
    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
