# Judge the figures of a draft: figures.pl NAMES SOURCES < DRAFT.md
#
# The draft is rendered with cmark, so what is judged is what a reader sees. Every digit must
# stand in a figure (a link to a section S1, S2, ... whose title says value and kind), a date, a
# word that begins with a letter, or a proper name: a line of the file NAMES, and below the heading
# of the sources also of the file SOURCES (titles, publishers, locators).
#
# Prints one line a figure: section, kind, weakest kind or -, text, label of its definition (tabs between). What is wrong goes to
# standard error and makes the status 1.
use strict;
use warnings;
use utf8;
use open qw(:std :encoding(UTF-8));

my $faults = 0;
sub wrong { print STDERR "@_\n"; $faults++ }

sub names {
	open my $f, "<", shift or die;
	chomp(my @names = <$f>);
	return grep { length > 2 } @names;
}
sub any { # one pattern for all, the longest first
	my $all = join "|", map { quotemeta } sort { length $b <=> length $a } @_;
	return qr/(?<![\p{L}\p{N}])(?:$all)(?![A-Za-z0-9]|[.,-]\d)/;
}
my @names = names($ARGV[0]);
my ($name, $title) = (any(@names), any(@names, names($ARGV[1])));

undef $/;
my $draft = <STDIN>;
$draft =~ s/\A---\n.*?\n---\n//s or wrong("no front matter");

my %defined;
while ($draft =~ /^\[([^\]]+)\]: *#s(\d+) "(.*)"$/mg) {
	wrong("defined twice: $1") if $defined{lc $1}++;
}
for my $label (sort keys %defined) {
	wrong("defined, never used: $label") if $draft !~ /\]\[\Q$label\E\]/i;
}

my $pid = open(my $out, "-|");
if (!$pid) {
	open(my $in, "|-", "cmark") or die;
	print $in $draft;
	close $in;
	exit 0;
}
my $html = <$out>;
my %section = map { $_ => 1 } $html =~ m{<h3>S(\d+)</h3>}g;
my $count = keys %section;
for (1 .. $count) { wrong("no section S$_ of $count") if !$section{$_} }
wrong("no sections S1, S2, ...") if !$count && %defined;

sub plain {
	my $s = shift;
	$s =~ s/<[^>]*>/ /g;
	my %entity = (lt => "<", gt => ">", quot => '"', amp => "&");
	$s =~ s/&(lt|gt|quot|amp);/$entity{$1}/g;
	return $s;
}

my $kinds = qr/measured|published|stated|assumed|calculated|측정|공개|고객 제시|고객 진술|가정|계산/;
my %used;
sub figure {
	my ($section, $title, $text) = @_;
	wrong("leads nowhere: $text -> #s$section") if !$section{$section};
	$used{$section} = 1;
	if ($text =~ /^S(\d+)$/) {
		wrong("S$1 leads to #s$section") if $1 != $section;
		return " ";
	}
	my ($value, $rest) = $title =~ /^([^,]+), (.*)$/ or wrong("no value and kind behind $text: $title");
	my ($kind) = ($rest // "") =~ /^($kinds)/ or wrong("no kind behind $text: $title");
	my ($weakest) = ($rest // "") =~ /(?:weakest) (\S+)/;
	wrong("a calculated figure without its weakest input: $text: $title") if ($kind // "") eq "calculated" && !$weakest;
	wrong("no number in $text: $title") if ($value // "") !~ /\d/ || $text !~ /\d/;
	print join("\t", "S$section", $kind // "?", $weakest // "-", $text, $value // "?"), "\n";
	return " ";
}

$html =~ s{<a href="#s(\d+)" title="([^"]*)">(.*?)</a>}{figure($1, plain($2), plain($3))}gse;
$html =~ s{<a href="(https?://[^"]*)">(.*?)</a>}{plain($1) eq plain($2) || plain($2) !~ /\d/ ? " " : " $2 "}gse;
while ($html =~ m{(<a [^>]*>.*?</a>)}gs) { wrong("what link is this: $1") }
for (1 .. $count) { wrong("S$_ is never referred to") if !$used{$_} }

sub bare {
	my ($part, $known) = @_;
	for my $block (split /\n|<\/?(?:p|li|h\d|ul|ol)>/, $part) {
		my $s = plain($block);
		next if $s !~ /\d|\]\[/;
		$s =~ s/$known/ /g;
		wrong("a link that is none: $s") if $s =~ /\]\[/;
		$s =~ s/\b(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?(?!\d|-\d|[.,]\d|%)/ /g;
		$s =~ s/(?<!\d)\d{1,2}월(?: \d{1,2}일)?/ /g if $block =~ /\d{4}년/;
		for my $word (split /[\s|()\[\],;:"“”‘’]+/, $s) {
			next if $word !~ /\d/ || $word =~ /^[*_'\/-]*[A-Za-z]/ || $word =~ /^\d+(-[a-z]+|D)\p{Hangul}*$/i;
			wrong("a bare figure: $word in: $block");
		}
	}
}
my ($body, $sources) = $html =~ m{\A(.*)(<h3>S1</h3>.*)\z}s;
bare($body // $html, $name);
bare($sources // "", $title);
exit($faults ? 1 : 0);
