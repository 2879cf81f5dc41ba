import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldAccents, foldLetters } from './fold-letters.ts'

test('names are one in any case, with or without accents, and without letters that a keyboard lacks', () => {
  for (const [name, folded] of [
    ['Łukasz Żółć', 'lukasz zolc'],
    ['Größe', 'grosse'],
    ['SMØRREBRØD', 'smorrebrod'],
    ['Đorđe', 'dorde'],
    ['Þórður', 'thordur'],
    ['Æsir œuvre', 'aesir oeuvre'],
    ['Işıl ÇIĞ', 'isil cig'],
    ['ĦAŻ ŦA', 'haz ta'],
    ['Ελληνικό ΛΌΓΟΣ', 'ελληνικο λογοσ'],
    ['ΛΌΓΟς', 'λογοσ'],
    ['Йод Ёлка', 'иод елка'],
    ['東京 バックエンド', '東京 ハックエント'],
    ['서울', '서울'],
    ['e\u0301te\u0301', 'ete'],
    ['plain-name_1', 'plain-name_1'],
  ] as const)
    assert.equal(foldLetters(name), folded, name)
})

test('databases know marks on letters, and no other spelling', () => {
  assert.equal(foldAccents('ÉTÉ Łódź'), 'ete łodz')
})
