# Does any quarantined wording stand in a text? wordings.pl FOLDER < TEXT
#
# FOLDER: claims/quarantine. Prints the place of each text of a quarantined file (statement, where it
# circulates, what was searched, ...) that standard input holds, however it is spaced, cased,
# marked up or escaped: only letters and digits are compared.
use strict;
use warnings;
use utf8;
use open qw(:std :encoding(UTF-8));

sub bones {
	my $s = lc shift;
	$s =~ s/\\u([0-9a-f]{4})/chr hex $1/ge;
	$s =~ s/&(?:amp|lt|gt|quot|#39);//g;
	$s =~ s/[^\p{L}\p{N}]//g;
	return $s;
}

undef $/;
my $text = bones(<STDIN> // "");
my $seen = 0;
for my $file (sort glob "$ARGV[0]/*.yaml") {
	open my $f, "<", $file or die;
	my $yaml = <$f>;
	while ($yaml =~ /^ *(en|ko): *(?:[>|]-?\n)?((?:.+)(?:\n {6,}\S.*)*)/mg) {
		my ($lang, $value) = ($1, bones($2));
		next if length $value < ($lang eq "en" ? 20 : 12);
		$seen++;
		next if index($text, $value) < 0;
		print "$file: $lang: $value\n";
	}
}
die "no texts in $ARGV[0]" if $seen < 13 * 2;
