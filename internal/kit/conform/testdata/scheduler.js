// A scheduler that follows the default readings, as a program for chargecast-conform. Days are numbers, counted from 1970.
'use strict'
const readings = { 'month-end': 'clamp', 'finish-bound': 'inclusive', 'start-past': 'skip' }

function dayNumber(year, month, day) { // of the months from 0; Date.UTC takes the years below 100 for others
  return new Date(0).setUTCFullYear(year, month, day) / 86400000
}

function text(number) { return new Date(number * 86400000).toISOString().slice(0, 10) }

function columnDay(columns, name) {
  if (!(name in columns)) return undefined
  const [day, month, year] = columns[name].split('.').map(Number)
  return dayNumber(year, month - 1, day)
}

function isoDay(iso) {
  const [year, month, day] = iso.split('-').map(Number)
  return dayNumber(year, month - 1, day)
}

// The due day with a number, counted from the start date.
function due(number, start, period, interval) {
  if (period !== 'month') return start + number * interval * (period === 'week' ? 7 : 1)
  const first = new Date(start * 86400000)
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth() + number * interval]
  const last = new Date(dayNumber(year, month + 1, 0) * 86400000).getUTCDate()
  return dayNumber(year, month, Math.min(first.getUTCDate(), last))
}

function amount(columns, repeat) {
  if ('amount' in columns) return { amount: columns.amount }
  if ('amount-from' in columns) return { min: columns['amount-from'], max: columns['amount-to'] }
  const elements = columns['amount-sequence'].split(',')
  return { amount: elements[Math.min(repeat, elements.length - 1)] }
}

function forecast(columns, today, until) {
  const start = columnDay(columns, 'start-date') ?? today
  const finish = columnDay(columns, 'finish-date') ?? Infinity
  const most = 'max-repeats-number' in columns ? BigInt(columns['max-repeats-number']) : undefined
  const charges = []
  const reasons = (over) => [...(most !== undefined && BigInt(charges.length) >= most ? ['max-repeats'] : []), ...(over ? ['finish-date'] : [])]
  let number = 0
  for (; ; today++) {
    let stopped = reasons(today > finish)
    if (stopped.length === 0 && columns.period) {
      let day
      while ((day = due(number, start, columns.period, Number(columns.interval))) < today) number++
      if (day === today) charges.push({ repeat: charges.length, date: text(today), ...amount(columns, charges.length) })
    }
    if (stopped.length === 0) stopped = reasons(today >= finish)
    if (stopped.length > 0 || today === until) {
      const stop = stopped.length > 0 ? { date: text(today), reasons: stopped } : null
      return { charges, end: { status: stop ? 'stopped' : 'active', repeat: charges.length, stop } }
    }
  }
}

require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const request = JSON.parse(line)
  let reply
  if (request.op === 'hello') {
    reply = { name: 'scheduler.js', ops: ['forecast'] }
  } else if (request.state !== null || Object.entries(request.policy).some(([key, value]) => readings[key] !== value)) {
    reply = { error: { code: 'not-supported' } }
  } else {
    reply = forecast(request.columns, isoDay(request.as_of), isoDay(request.until))
  }
  process.stdout.write(JSON.stringify({ id: request.id, ...reply }) + '\n')
})
