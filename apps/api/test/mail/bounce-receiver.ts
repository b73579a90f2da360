import { onTestFinished } from 'vitest'
import { networksOf } from '#http/limits/networks.ts'
import type { BounceHandler } from '#integrations/mail/bounce-receiver.ts'
import { createSmtpBounceReceiver } from '#integrations/mail/smtp-bounce-receiver.ts'
import { createCapturedLog } from '#test/captured-log.ts'
import { locationsFrom } from '../../src/locations.ts'

const { reportReader } = locationsFrom(new URL('../../src/main.ts', import.meta.url).href)

type Options = Partial<Parameters<typeof createSmtpBounceReceiver>[0]>

/** Starts a receiver on a free port until the end of the test. Returns its port and what it logged. */
export async function startBounceReceiver(handler: BounceHandler, options: Options = {}) {
  const { logger, lines } = createCapturedLog()
  const receiver = createSmtpBounceReceiver({
    port: 0,
    takesFreePort: true,
    host: '127.0.0.1',
    handler,
    logger,
    readerFile: reportReader,
    networkOf: (address) => networksOf(address)[0].name,
    ...options,
  })
  onTestFinished(() => receiver.close())
  const port = await receiver.start()
  if (port === null) throw new Error('The receiver did not start')
  return { port, receiver, lines }
}
