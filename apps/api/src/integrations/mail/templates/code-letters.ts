import type { Mail } from '../mailer.ts'
import type { Letter, Part } from './letter.ts'

type CodeMail<Kind extends Mail['kind']> = Extract<Mail, { kind: Kind }>

export function resetCodeLetter(mail: CodeMail<'reset-code'>): Letter {
  return {
    ...codeEnvelope(mail, 'password reset code', 'Enter it to choose a new password.'),
    title: 'Your code for a new password',
    parts: [text('Enter this code where you asked for a new password:'), ...codeParts(mail)],
    aside:
      'You did not ask for a new password? Then there is nothing to do: without the code it stays as it is.',
  }
}

export function loginCodeLetter(mail: CodeMail<'login-code'>): Letter {
  const { appName, fromSignup } = mail
  if (!fromSignup) {
    return {
      ...codeEnvelope(mail, 'login code', 'Enter it to log in.'),
      title: 'Your code to log in',
      parts: [text(`Enter this code to log in to ${appName}:`), ...codeParts(mail)],
      aside: 'You did not try to log in? Then there is nothing to do: nobody gets in without the code.',
    }
  }
  return {
    ...codeEnvelope(mail, 'login code', 'You have an account already. Enter the code to log in.'),
    title: 'You have an account already',
    parts: [
      text(
        `Somebody, probably you, wanted to sign up to ${appName} with this address. It has an account already, ` +
          'and this code logs you in to it:',
      ),
      ...codeParts(mail),
    ],
    aside:
      'It was not you? Then there is nothing to do: nothing was changed, and nobody gets in without the code.',
  }
}

export function signupCodeLetter(mail: CodeMail<'signup-code'>): Letter {
  return {
    ...codeEnvelope(mail, 'sign-up code', 'Enter it to finish signing up.'),
    title: 'Your code to sign up',
    parts: [text(`Enter this code to finish signing up to ${mail.appName}:`), ...codeParts(mail)],
    aside: 'You did not sign up? Then there is nothing to do: without the code no account is made.',
  }
}

export function verificationLetter(mail: CodeMail<'verification'>): Letter {
  const { appName, link } = mail
  return {
    ...codeEnvelope(mail, 'email verification code', 'Confirm that this address is yours.'),
    title: 'Is this your address?',
    parts: [
      text(`Your account at ${appName} uses this address. Please confirm that it is yours:`),
      { kind: 'button', label: 'Confirm the address', url: link },
      text('Or enter this code where you are asked for it:'),
      ...codeParts(mail),
    ],
    aside: `You have no account at ${appName}? Follow the link and choose ‘I didn’t sign up’ to remove your address from it.`,
  }
}

/** The code comes first, where a lock screen shows it and a keyboard offers it; then what it is for. */
function codeEnvelope({ code, appName }: { code: string; appName: string }, name: string, preview: string) {
  return { subject: `${code} is your ${appName} ${name}`, preview }
}

function codeParts({ code, minutes }: { code: string; minutes: number }): Part[] {
  return [
    { kind: 'code', code },
    text(`It holds for ${formatMinutes(minutes)} and works once. Please pass it on to nobody.`),
  ]
}

function formatMinutes(minutes: number): string {
  if (minutes === 60) return 'one hour'
  return minutes === 1 ? 'one minute' : `${minutes} minutes`
}

function text(content: string): Part {
  return { kind: 'text', text: content }
}
