import { createTransport } from 'nodemailer'

const boundary = 'tidings-bounce'

type Bounce = {
  /** The return address of the message. */
  to: string
  recipient: string
  /** The message's own Message-ID. */
  messageId: string
  url: string
}

/** Sends a delivery status notification (RFC 3464), as a server that accepted a message it can't deliver. */
export async function sendBounce({ to, recipient, messageId, url }: Bounce): Promise<void> {
  const transport = createTransport({ url, ignoreTLS: true })
  try {
    await transport.sendMail({
      envelope: { from: '', to },
      raw: deliveryStatus({ to, recipient, messageId }),
    })
  } finally {
    transport.close()
  }
}

function deliveryStatus({ to, recipient, messageId }: Omit<Bounce, 'url'>): string {
  return [
    'From: Mail Delivery System <mailer-daemon@emulator.example>',
    `To: <${to}>`,
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=delivery-status; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    `The mailbox ${recipient} does not exist.`,
    '',
    `--${boundary}`,
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; emulator.example',
    '',
    `Final-Recipient: rfc822; ${recipient}`,
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 The mailbox does not exist',
    '',
    `--${boundary}`,
    'Content-Type: text/rfc822-headers',
    '',
    `Message-ID: ${messageId}`,
    '',
    `--${boundary}--`,
    '',
  ].join('\r\n')
}
