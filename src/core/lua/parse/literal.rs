//! The values of literals, as Lua 5.1 reads them.

use full_moon::tokenizer::{StringLiteralQuoteType, TokenReference, TokenType};

use super::decimal::decimal;
use super::readable::original_bytes;

/// The bytes of a string literal; none where it has a number that is no byte.
pub(super) fn text(token: &TokenReference) -> Option<Vec<u8>> {
    let TokenType::StringLiteral { literal, quote_type, .. } = token.token_type() else { return Some(Vec::new()) };
    let bytes = original_bytes(literal.as_str());
    if *quote_type == StringLiteralQuoteType::Brackets { Some(in_brackets(&bytes)) } else { unescaped(&bytes) }
}

/// The end of a line is one byte, however it is written; one right after the opening bracket counts for nothing.
fn in_brackets(bytes: &[u8]) -> Vec<u8> {
    let mut rest = after_line_end(bytes).unwrap_or(bytes);
    let mut out = Vec::with_capacity(rest.len());
    while let Some((&byte, after)) = rest.split_first() {
        let line_end = after_line_end(rest);
        out.push(if line_end.is_some() { b'\n' } else { byte });
        rest = line_end.unwrap_or(after);
    }
    out
}

/// What stands after the end of a line, where the text begins with one.
fn after_line_end(text: &[u8]) -> Option<&[u8]> {
    match text {
        [b'\r', b'\n', rest @ ..] | [b'\n', b'\r', rest @ ..] | [b'\r' | b'\n', rest @ ..] => Some(rest),
        _ => None,
    }
}

fn unescaped(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'\\' {
            out.push(first);
            continue;
        }
        if let Some(after) = after_line_end(rest) {
            out.push(b'\n');
            rest = after;
            continue;
        }
        let Some((&escaped, after)) = rest.split_first() else { break };
        rest = after;
        match escaped {
            b'a' => out.push(7),
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'v' => out.push(11),
            b'0'..=b'9' => {
                let digits = 1 + rest.iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
                let value = std::iter::once(&escaped).chain(rest).take(digits);
                let value = value.fold(0_u32, |value, digit| value * 10 + u32::from(digit - b'0'));
                out.push(u8::try_from(value).ok()?);
                rest = rest.get(digits - 1..).unwrap_or_default();
            }
            other => out.push(other),
        }
    }
    Some(out)
}

/// The value of a number; not a number where Lua's would depend on the platform.
pub(super) fn number(token: &TokenReference) -> f64 {
    let TokenType::Number { text } = token.token_type() else { return f64::NAN };
    let text = text.as_str();
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        #[allow(clippy::cast_precision_loss, reason = "Lua's numbers are doubles")]
        Some(digits) => u64::from_str_radix(digits, 16).map_or(f64::NAN, |value| value as f64),
        None => decimal(text.as_bytes()).unwrap_or(f64::NAN),
    }
}
