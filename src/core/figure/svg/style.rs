//! The colours of the picture: the page's own, light and dark, each rule by its class so that the simplest programs read it.

use crate::core::figure::Theme;
use crate::core::figure::model::Role;

/// The class of a role; text has none.
pub(super) fn class(role: Role) -> Option<&'static str> {
    match role {
        Role::Plain | Role::Code => None,
        Role::Strong | Role::Origin => Some("b"),
        Role::Quiet => Some("q"),
        Role::Key => Some("k"),
        Role::Undeclared => Some("u"),
        Role::Pass => Some("p"),
        Role::Fail => Some("f"),
        Role::Doubt => Some("d"),
        Role::Comment => Some("c"),
        Role::Text => Some("s"),
        Role::Digits => Some("n"),
        Role::Keyword => Some("w"),
        Role::Input => Some("i"),
        Role::Call => Some("r"),
    }
}

/// Classes, the property, and its value on light and on dark ground.
const COLORS: [(&str, &str, &str, &str); 27] = [
    ("text", "fill", "#1d2433", "#f1e9d8"),
    (".paper", "fill", "#ffffff", "#131f35"),
    (".paper", "stroke", "#d5d0c3", "#33435f"),
    (".raised", "fill", "#f6f4ee", "#192840"),
    (".lit", "fill", "#e8effc", "#1f3558"),
    (".q", "fill", "#565d6e", "#b0b4bf"),
    (".p", "fill", "#17694a", "#74d6a5"),
    (".f,.u", "fill", "#b0271b", "#ff9d8f"),
    (".d", "fill", "#7f5600", "#f0c463"),
    (".c", "fill", "#5b6270", "#a3abb9"),
    (".s", "fill", "#226138", "#8fd6a4"),
    (".n", "fill", "#8a3d00", "#f0b27a"),
    (".w", "fill", "#7a1f8a", "#d9a6f2"),
    (".i", "fill", "#a3123f", "#ff9fb5"),
    (".r,.step", "fill", "#1f54b5", "#93bbff"),
    (".pass-ground", "fill", "#17694a", "#74d6a5"),
    (".fail-ground", "fill", "#b0271b", "#ff9d8f"),
    (".doubt-ground", "fill", "#7f5600", "#f0c463"),
    (".on", "stroke", "#ffffff", "#0e1728"),
    (".open,.axis,.chip", "stroke", "#8a8779", "#7d8aa3"),
    (".bar,.other", "stroke", "#1d2433", "#f1e9d8"),
    (".chip,.other,.stop", "fill", "#ffffff", "#131f35"),
    (".away", "fill", "#fdf0ee", "#3a2530"),
    (".away", "stroke", "#b0271b", "#ff9d8f"),
    (".own", "fill", "#1d2433", "#f1e9d8"),
    (".ring,.rail,.stop,.came,.used", "stroke", "#1f54b5", "#93bbff"),
    (".ring", "fill", "#ffffff", "#131f35"),
];

const SHAPES: &str = "\
.emq-still text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace;white-space:pre}
.emq-still .title{font-size:17.5px;font-weight:700}
.emq-still .step{font-size:11px;font-weight:700}
.emq-still .b,.emq-still .p,.emq-still .f,.emq-still .d,.emq-still .i,.emq-still .r{font-weight:700}
.emq-still .c{font-style:italic}
.emq-still .on,.emq-still .bar{fill:none;stroke-width:1.9}
.emq-still .open{fill:none;stroke-width:2}
.emq-still .other{stroke-width:1.8}
.emq-still .ring,.emq-still .rail{stroke-width:2}
.emq-still .came{stroke-width:1.6}
.emq-still .used{stroke-width:3}
.emq-still .away{stroke-width:1.3;stroke-dasharray:4 2.5}
";

/// The style: one scheme, or the reader's own.
pub(super) fn of(theme: Theme) -> String {
    let rules = |dark: bool| {
        let rule = |(classes, property, light, black): &(&str, &str, &str, &str)| {
            let selectors: Vec<String> = classes.split(',').map(|class| format!(".emq-still {class}")).collect();
            format!("{}{{{property}:{}}}\n", selectors.join(","), if dark { black } else { light })
        };
        COLORS.iter().map(rule).collect::<String>()
    };
    let colors = match theme {
        Theme::Light => rules(false),
        Theme::Dark => rules(true),
        Theme::Auto => format!("{}@media (prefers-color-scheme:dark){{\n{}}}\n", rules(false), rules(true)),
    };
    format!("<style>\n{SHAPES}{colors}</style>\n")
}
