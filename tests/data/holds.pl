# Which lines of a list stand in a text? holds.pl LIST < TEXT. Only letters and digits are compared, so
# that marks, blanks and line breaks do not matter; a line with a figure counts by its parts around it.
use strict;
use warnings;
use utf8;
use open qw(:std :encoding(UTF-8));

sub bones {
	my $s = lc shift;
	$s =~ s/&(?:amp|lt|gt|quot|#39);//g;
	$s =~ s/[^\p{L}\p{N}]//g;
	return $s;
}

my $asked = 0;
open my $f, "<", $ARGV[0] or die;
chomp(my @lines = <$f>);
undef $/;
my $text = bones(<STDIN> // "");
for my $line (@lines) {
	for my $part (split /\S+(?: \S+)? \[(?:measured|published)[^\]]*\]/, $line) {
		my $bones = bones($part);
		next if length $bones < ($bones =~ /^[\x00-\x7f]*$/ ? 24 : 12);
		$asked++;
		print "$part\n" if index($text, $bones) >= 0;
	}
}
die "no lines to look for in $ARGV[0]" if !$asked;
