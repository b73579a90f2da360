import { describe, expect, test } from 'vitest'
import { handledKeyword, isRepliedByTwilio, keywordOf } from './keywords.ts'

describe('keywordOf', () => {
  test.each([
    // 47 CFR 64.1200(a)(10)
    ...['stop', 'quit', 'end', 'revoke', 'opt out', 'cancel', 'unsubscribe'],
    // Twilio and AWS
    ...['STOPALL', 'OPTOUT', 'OPT-OUT', 'REMOVE', 'ARRET', 'TD', 'Arrête'],
    // Other languages
    ...['ARRÊT', 'Arre\u0302t', 'arrêter', 'PARAR', 'Baja', 'stopp', 'Abmelden', 'no más'],
    // Width, case, punctuation, quotes, emoji and what is invisible
    ...[
      ' stop\n',
      'StOp',
      'ＳＴＯＰ',
      'ｓｔｏｐ',
      '𝗦𝗧𝗢𝗣',
      'Ⓢⓣⓞⓟ',
      '"STOP"',
      '“Stop”',
      '«stop»',
      '¡PARAR!',
      '(stop)',
      '*STOP*',
    ],
    ...[
      'STOP 🛑',
      '🛑STOP🛑',
      'STOP!!!',
      'S T O P',
      's.t.o.p.',
      'Stop all!',
      'ST\u00adOP',
      '\u200eSTOP\u200e',
      '\ufeffstop',
      'STOP\ufe0f',
    ],
    ...['STOP\u00a0', 'stop…', 'cancel.', 'opt\u2011out', 'opt_out', "'stop'", 'STÓP', 'UNSUBSCRİBE'],
    // In a few words
    ...[
      'stop please',
      'Please stop',
      'Stop texting me',
      'stop it',
      'PLEASE STOP TEXTING ME!!',
      'Stop sending me these messages',
    ],
    ...[
      'I want to stop',
      'I’d like to opt out',
      'opt me out please',
      'Unsubscribe me',
      'please unsubscribe me from this list',
    ],
    ...[
      'cancel my subscription',
      'Remove me',
      'remove my number from your list',
      'take me off your list',
      'stop stop stop',
    ],
    ...[
      'Don’t text me',
      'do not text me again',
      'no more texts',
      'No more messages, thanks',
      'end texts',
      'stop now',
    ],
    ...[
      'how do I stop these texts?',
      'can you stop',
      'STOP\nSent from my iPhone',
      'STOP. Who is this?',
      'quit texting me',
    ],
    ...[
      'revoke my consent',
      'unsub',
      'Opt me out of this',
      'stop bothering me',
      'leave me alone',
      'ok, stop',
      'UNSUBSCRIBE ALL',
    ],
  ])('%j ends texts', (body) => {
    expect(keywordOf(body)).toBe('stop')
  })

  test.each([
    ...['START', 'start', ' Start! ', 'ＳＴＡＲＴ', 'YES', 'yes', 'Yes.', '“YES”', 'UNSTOP', 'un-stop'],
  ])('%j begins texts', (body) => {
    expect(keywordOf(body)).toBe('start')
  })

  test.each([
    ...['HELP', 'help?', 'he lp', 'ＨＥＬＰ', 'INFO', 'Info', 'help me', 'HELP 🙏', 'aide', 'Ayuda', 'hilfe'],
  ])('%j explains texts', (body) => {
    expect(keywordOf(body)).toBe('help')
  })

  test.each([
    ...[
      '',
      '   ',
      '🛑',
      '?',
      'constructor',
      '__proto__',
      'toString',
      'Thanks',
      'ok',
      'yes please do',
      'please',
    ],
    ...[
      'Please do not stop',
      "don't stop",
      'Don’t stop!',
      'never stop',
      'stop by the office',
      'Stop by tomorrow?',
      'nonstop',
    ],
    ...[
      'Where is the bus stop?',
      'the end',
      'The end.',
      'this is the end',
      'weekend',
      'unstoppable',
      'I can’t stop laughing',
    ],
    ...[
      'Who will stop the war?',
      'stopped raining here',
      'cancel culture',
      'please cancel the 3PM meeting',
      'no more rain',
    ],
    'I quit my job',
    ...[
      'Remove the comma in the title',
      'information',
      'helpful!',
      'helped me a lot',
      'yesterday',
      'starting when?',
    ],
    ...[
      'Liked “Reply STOP to end texts.”',
      'Laughed at "STOP"',
      'Tidings: Reply STOP to end',
      'do you ever stop by?',
    ],
  ])('%j asks for nothing', (body) => {
    expect(keywordOf(body)).toBeNull()
  })
})

describe('isRepliedByTwilio', () => {
  test.each([
    ...[
      'STOP',
      ' stop\n',
      'StopAll',
      'unsubscribe',
      'END',
      'quit',
      'REVOKE',
      'optout',
      'Start',
      'YES',
      'UNSTOP',
      'help',
      'INFO',
    ],
  ])('%j is', (body) => expect(isRepliedByTwilio(body)).toBe(true))

  test.each([
    ...[
      'Stop all!',
      'S T O P',
      'Cancel.',
      'opt out',
      'ARRET',
      'ＳＴＯＰ',
      'stop please',
      'UN-STOP',
      '',
      'constructor',
    ],
  ])('%j is not', (body) => expect(isRepliedByTwilio(body)).toBe(false))
})

describe('handledKeyword', () => {
  test.each([
    ['STOP', 'stop'],
    ['START', 'start'],
    ['HELP', 'help'],
    ['help', 'help'],
    ['', null],
    ['OTHER', null],
  ])('%j is %j', (optOutType, keyword) => expect(handledKeyword(optOutType)).toBe(keyword))
})
