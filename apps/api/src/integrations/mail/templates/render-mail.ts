import { render } from 'react-email'
import type { Mail } from '../mailer.ts'
import { loginCodeLetter, resetCodeLetter, signupCodeLetter, verificationLetter } from './code-letters.ts'
import type { Letter } from './letter.ts'
import { letterHtml } from './letter-html.ts'
import { letterText } from './letter-text.ts'
import { emailChangedLetter, passwordChangedLetter, providerConnectedLetter } from './notice-letters.ts'

export type RenderedMail = { subject: string; html: string; text: string }

/** Writes a mail: its subject, its page and its plain text, which say the same. */
export async function renderMail(mail: Mail): Promise<RenderedMail> {
  const tidy = withTidyNames(mail)
  const letter = letterOf(tidy)
  return {
    subject: letter.subject,
    html: await render(letterHtml(letter, tidy.appName)),
    text: letterText(letter, tidy.appName),
  }
}

function letterOf(mail: Mail): Letter {
  switch (mail.kind) {
    case 'reset-code':
      return resetCodeLetter(mail)
    case 'login-code':
      return loginCodeLetter(mail)
    case 'signup-code':
      return signupCodeLetter(mail)
    case 'verification':
      return verificationLetter(mail)
    case 'email-changed':
      return emailChangedLetter(mail)
    case 'password-changed':
      return passwordChangedLetter(mail)
    case 'provider-connected':
      return providerConnectedLetter(mail)
  }
}

/** Names come from settings and go into headers too: no line break, and nothing that turns text around, is left in them. */
function withTidyNames(mail: Mail): Mail {
  const appName = oneLine(mail.appName)
  return mail.kind === 'provider-connected'
    ? { ...mail, appName, providerName: oneLine(mail.providerName) }
    : { ...mail, appName }
}

function oneLine(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}
